// Runs axe-core on a page of the product, with all rules enabled.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Locator } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * @param element Any element of the page.
 * @returns one line for each violation: the rule, and where it was found.
 */
export async function findAxeViolations(element: Locator): Promise<string[]> {
  await element.evaluate(AXE);
  return element.evaluate(`axe.run(document).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => id + ': ' + target.join(' ') + ' ' + failureSummary)))`);
}
