export type Settings = Readonly<Record<string, unknown>>;

export interface Server {
  /** Base URL of the front, without a trailing slash. */
  readonly url: string;
  readonly token: string;
  /** Output of the server so far, limited to the last 4 million characters. */
  log(): string;
  /** Resolves when the server has ended. */
  readonly ended: Promise<unknown>;
  /** Resolves when the server and everything it started have ended. */
  stop(): Promise<void>;
}

export declare const quietSettings: Settings;
export declare function installVsix(files: readonly string[], dataDir: string): Promise<void>;
export declare function startServer(options: {
  dataDir: string;
  dev?: boolean;
  port?: number;
  home?: string;
  settings?: Settings;
  builtinDir?: string;
  logFile?: string;
}): Promise<Server>;
export declare function workbenchUrl(
  server: Pick<Server, 'url' | 'token'>,
  options: { folder: string; developmentPaths?: readonly string[]; testsPath?: string },
): string;
