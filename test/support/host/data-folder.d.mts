export declare function prepareDataFolder(
  dataDir: string,
  settings?: Readonly<Record<string, unknown>>,
): void;
export declare function keepKeyHalf(dataDir: string): Buffer;
export declare function originName(dataDir: string): string;
