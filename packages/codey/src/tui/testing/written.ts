// What a program wrote to a terminal, looked at for what it must not do.

/** Parameters of styles that set a colour. */
export function coloursIn(written: string): readonly string[] {
  const styles = written.split('\u001b[').flatMap((text) => /^([\d;]*)m/.exec(text)?.[1] ?? []);
  return styles.filter((parameters) =>
    parameters.split(';').some((each) => /^(?:3[0-8]|4[0-8]|9\d|10[0-7])$/.test(each)),
  );
}

/** Modes that a full-screen program switches on, and which of them it left on. */
export function modesLeftOn(written: string): readonly string[] {
  const modes = ['1049', '2004', '1000', '1002', '1003', '1006', '2026'];
  const last = (sequence: string): number => written.lastIndexOf(`\u001b[?${sequence}`);
  const left = modes.filter((mode) => last(`${mode}h`) > last(`${mode}l`));
  return [
    ...left,
    ...(last('25l') > last('25h') ? ['cursor hidden'] : []),
    ...(last('7l') > last('7h') ? ['no wrapping'] : []),
  ];
}
