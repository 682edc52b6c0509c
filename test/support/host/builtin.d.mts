/** Makes a folder of the built-in extensions that the tests need, for `builtinDir` of `startServer`. */
export function linkBuiltin(folder: string): void;
