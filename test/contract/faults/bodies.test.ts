// Tests what a chat results in when the body is no reply, or a damaged one.
import { BODY_FAULTS } from './bodies-faults';
import { REPLY_FAULTS } from './replies-faults';
import { describeFaults } from './run-faults';

describeFaults('body', [...BODY_FAULTS, ...REPLY_FAULTS]);
