// Markdown files are imported as text: a tool's description stands beside the tool.
declare module '*.md' {
  const text: string;
  export default text;
}
