// How properties are tried: `npm test` draws the same cases each time, so that a red run has a cause in the code;
// `npm run test:long` draws others each time, and more of them.
import * as fc from 'fast-check';

const isLong = process.env['TEST_LONG'] !== undefined;

fc.configureGlobal(isLong ? {} : { seed: 1 });

export { fc };

/** @param all How often a long run tries it; the short one a tenth as often, which finds what is broken in most texts. */
export const runs = (all: number): number => (isLong ? all : Math.ceil(all / 10));
