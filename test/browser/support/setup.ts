// What the tests in a plain browser need before the first of them: a Chromium and the built pages.
import { setUpChromium } from '../../support/browser/chromium.mjs';
import { packageVsix } from '../../support/host/package-vsix.mjs';

export async function setup(): Promise<void> {
  await Promise.all([setUpChromium(), packageVsix()]);
}
