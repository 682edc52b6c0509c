// Runs axe-core on a page of the product, with all rules enabled or with those that depend on the theme.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Locator } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What is used in the page. */
interface Globals {
  axe: { run: (part: unknown, options: object) => Promise<{ violations: Violation[] }> };
  requestAnimationFrame: (callback: (value: unknown) => void) => void;
}

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** The enabled rules whose result depends on colours. All others find the same in every theme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * @param element The part to check; `html` for the whole page, which some rules need.
 * @param rules `colours` runs only the rules that depend on the theme. @default 'all'
 * @returns one line for each violation: the rule, and where it was found.
 */
export async function findAxeViolations(
  element: Locator,
  rules: 'all' | 'colours' = 'all',
): Promise<string[]> {
  const isLoaded: boolean = await element.evaluate(`'axe' in globalThis`);
  if (!isLoaded) await element.evaluate(AXE);
  const options = {
    resultTypes: ['violations'], // others would be described in detail, too
    preload: false, // of style sheets and media of other origins, which the product does not have
    ...(rules === 'colours' && { runOnly: COLOUR_RULES }),
  };
  return element.evaluate(async (part, given) => {
    const { axe, requestAnimationFrame: nextFrame } = globalThis as unknown as Globals;
    // The toolkit updates the inner parts of its elements, such as those of a disabled button, in the next frame.
    for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => nextFrame(resolve));
    const { violations } = await axe.run(part, given);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
    );
  }, options);
}
