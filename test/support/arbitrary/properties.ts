// Configures property tests: `npm test` generates the same cases every time, so that a failure is caused by the
// code; `npm run test:properties` generates different and more cases each time.
import * as fc from 'fast-check';

const hasMoreCases = process.env['MORE_CASES'] !== undefined;

fc.configureGlobal(hasMoreCases ? {} : { seed: 1 });

export { fc };

/** @param all Number of cases in a long run. The short run tries a tenth of them, which finds most defects. */
export const runs = (all: number): number => (hasMoreCases ? all : Math.ceil(all / 10));

/** @param all Length of a generated text in a long run. It is a quarter as long in the short run. */
export const textLength = (all: number): number => (hasMoreCases ? all : all / 4);

/**
 * All of many alike items in a long run, such as the lengths at which a text is cut; every fourth in the short one.
 * @param from Shifts the choice, so that the short runs of several cases together try every position.
 */
export const someOf = <Item>(items: readonly Item[], from: number): readonly Item[] =>
  hasMoreCases ? items : items.filter((_, index) => (index + from) % 4 === 0);
