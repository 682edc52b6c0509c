// Whether there is a Chromium to measure pages in.
import { isChromiumSetUp, setUpChromium } from '../../support/browser/chromium.mjs';

/**
 * A quick run uses an installed browser only.
 * @param suite Its name, for the line that says that no page is measured.
 */
export async function findChromium(suite, isQuick) {
  if (isQuick) return isChromiumSetUp();
  try {
    await setUpChromium();
    return true;
  } catch (error) {
    process.stderr.write(`${suite}: there is no Chromium, so no page is measured (${error.message})\n`);
    return false;
  }
}
