// What axe-core finds in a page of the product, no rule off.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Locator } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * @param element Any of the page.
 * @returns a line a finding: the rule, and where
 */
export async function findAxeViolations(element: Locator): Promise<string[]> {
  await element.evaluate(AXE);
  return element.evaluate(`axe.run(document).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => id + ': ' + target.join(' ') + ' ' + failureSummary)))`);
}
