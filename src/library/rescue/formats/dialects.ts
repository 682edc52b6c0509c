// Joins the dialects that the registered formats declare. The only place that passes them to the parsers.
import { Dialects } from '../core/dialects';
import { COMMON_DIALECT } from './common-dialect';
import { RESCUE_FORMATS } from './index';

export const DIALECTS = new Dialects([COMMON_DIALECT, ...RESCUE_FORMATS]);
