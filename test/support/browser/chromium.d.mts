import type { BrowserContext, Page } from 'playwright-core';

export interface Viewport {
  readonly width: number;
  readonly height: number;
}
export declare function isChromiumSetUp(): boolean;
export declare function setUpChromium(): Promise<void>;
/** A browser with a profile that lasts; 1440 by 900 unless told. The caller closes the context. */
export declare function launch(
  profileDir: string,
  viewport?: Viewport,
): Promise<{ context: BrowserContext; page: Page }>;
