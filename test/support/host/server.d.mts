export type Settings = Readonly<Record<string, unknown>>;

export interface Server {
  /** The front's, without a slash at the end. */
  readonly url: string;
  readonly token: string;
  /** Everything the server printed so far, but no more than the last 4 million characters. */
  log(): string;
  /** Resolves when the server is gone. */
  readonly ended: Promise<unknown>;
  /** Resolves when the server and all it started are gone. */
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
  logFile?: string;
}): Promise<Server>;
export declare function workbenchUrl(
  server: Pick<Server, 'url' | 'token'>,
  options: { folder: string; developmentPaths?: readonly string[]; testsPath?: string },
): string;
