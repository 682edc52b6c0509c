// Which program this is, for reports and `--version`.

/** The build replaces it; '' from the sources. */
export const VERSION = process.env.EXTENSION_VERSION ?? '';

export const madeBy = (): string => `Provider Playground ${VERSION}`.trimEnd();
