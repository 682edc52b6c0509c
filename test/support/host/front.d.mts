export interface Front {
  /** Base URL without a trailing slash. */
  readonly url: string;
  readonly token: string;
  close(): void;
}
export declare function startFront(options: {
  socketPath: string;
  name: string;
  port?: number;
  home?: string;
}): Promise<Front>;
