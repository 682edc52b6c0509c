// Configures property tests: `npm test` generates the same cases every time, so that a failure is caused by the
// code; `npm run test:long` generates different and more cases each time.
import * as fc from 'fast-check';

const isLong = process.env['TEST_LONG'] !== undefined;

fc.configureGlobal(isLong ? {} : { seed: 1 });

export { fc };

/** @param all Number of cases in a long run. The short run tries a tenth of them, which finds most defects. */
export const runs = (all: number): number => (isLong ? all : Math.ceil(all / 10));

/** @param all Length of a generated text in a long run. It is half as long in the short run. */
export const textLength = (all: number): number => (isLong ? all : all / 2);
