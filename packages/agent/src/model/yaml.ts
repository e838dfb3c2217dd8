// The YAML package, imported by name: a bundler gives a dynamic import of CommonJS no names.
export { LineCounter, parseDocument } from 'yaml';
