import type { BrowserContext, Page } from 'playwright-core';

export interface Viewport {
  readonly width: number;
  readonly height: number;
}
export declare function isChromiumSetUp(): boolean;
export declare function setUpChromium(): Promise<void>;
/** Launches a browser with a persistent profile. The caller closes the context. @default a viewport of 1440 by 900 */
export declare function launch(
  profileDir: string,
  viewport?: Viewport,
): Promise<{ context: BrowserContext; page: Page }>;
