// The commands that open a scratch. A chunk of its own, loaded when one of them is first used.
export { openExample } from './open-example';
export { openScratch } from './open-scratch';
