export interface EditorTheme {
  /** Classes of the page's body. */
  readonly bodyClass: string;
  /** As in `data-vscode-theme-kind`. */
  readonly kind: string;
  /** Custom properties of the root element. */
  readonly variables: Readonly<Record<string, string>>;
}
/** VS Code's own themes by name; the default one is the first. */
export declare const themes: Readonly<Record<string, EditorTheme>>;

export interface PageServer {
  readonly origin: string;
  /** Sends lines of JSON to the page, each of them a frame. */
  post(lines: string): void;
  close(): void;
}

/** Serves one page, in the default theme. */
export declare function servePage(options: {
  /** Folder of the built page. */
  readonly dist: string;
  /** Paths of files that are served in addition. @default none */
  readonly files?: readonly string[];
  /** The page as the host writes it; called for each load. */
  readonly html: () => string;
  /** Added before everything else in the page's head. @default the script that connects the page to the host */
  readonly head?: string;
  /** Called with each frame that the page sends, in order. */
  readonly receive: (frame: unknown) => void;
}): Promise<PageServer>;
