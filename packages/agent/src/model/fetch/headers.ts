// Names and values of HTTP headers, as much of the web's `Headers` as model clients use. Node's own class comes with all
// of undici, which takes longer to load than the rest of a start.

type HeaderPairs = Iterable<readonly [string, string]>;

export class PlainHeaders implements Iterable<[string, string]> {
  readonly #values = new Map<string, string>();

  constructor(init: HeaderPairs | Readonly<Record<string, string>> = {}) {
    const pairs = Symbol.iterator in init ? init : Object.entries(init);
    for (const [name, value] of pairs) this.append(name, value);
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  set(name: string, value: string): void {
    // oxlint-disable-next-line typescript/no-unnecessary-type-conversion -- Behind the cast in http-fetch.ts may be a number; the web's class takes one.
    this.#values.set(name.toLowerCase(), String(value).trim());
  }

  append(name: string, value: string): void {
    const before = this.get(name);
    this.set(name, before === null ? value : `${before}, ${value}`);
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }

  forEach(use: (value: string, name: string) => void): void {
    for (const [name, value] of this) use(value, name);
  }

  entries(): IterableIterator<[string, string]> {
    return this.#values.entries();
  }

  keys(): IterableIterator<string> {
    return this.#values.keys();
  }

  values(): IterableIterator<string> {
    return this.#values.values();
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}
