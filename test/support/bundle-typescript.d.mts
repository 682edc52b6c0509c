/** @param outfile Ends in `.mjs`. */
export function bundleTypescript(file: string, outfile: string): Promise<void>;
