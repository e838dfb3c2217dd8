// Pages are imported as their text.
declare module '*.html' {
  const text: string;
  export default text;
}
