// The formats, in the order in which they are asked where their openers collide. One line a format.
import type { RescueFormat } from '../rescue-format';
import { hermesJson } from './hermes-json';
import { jsonBare } from './json-bare';
import { jsonFence } from './json-fence';

export const RESCUE_FORMATS: readonly RescueFormat[] = [hermesJson, jsonFence, jsonBare];
