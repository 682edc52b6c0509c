// What the registered formats declare, joined: the one place that hands it to the parsers.
import { Dialects } from '../core/dialects';
import { COMMON_DIALECT } from './common-dialect';
import { RESCUE_FORMATS } from './index';

export const DIALECTS = new Dialects([COMMON_DIALECT, ...RESCUE_FORMATS]);
