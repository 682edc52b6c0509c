// The body is not a reply, or not quite one: what a chat comes to.
import { BODY_FAULTS } from './bodies-faults';
import { REPLY_FAULTS } from './replies-faults';
import { describeFaults } from './run-faults';

describeFaults('body', [...BODY_FAULTS, ...REPLY_FAULTS]);
