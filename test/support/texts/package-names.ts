// How the examples name the library: by path where they are compiled, by package where a reader copies them from.

/** Import in `test/examples` → import from the installed package. The order matters: the longer path first. */
const NAMES = [
  ['../../src/library/rescue', 'provider-playground/rescue'],
  ['../../src/library', 'provider-playground'],
  ['../../src/inspect/public-api', 'provider-playground/inspect'],
] as const;

export const toPackageNames = (example: string): string =>
  NAMES.reduce((text, [path, name]) => text.replaceAll(`'${path}'`, `'${name}'`), example);
