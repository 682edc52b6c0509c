// Tests the result of a chat whose body is damaged or not a reply.
import { BODY_FAULTS } from './bodies-faults';
import { REPLY_FAULTS } from './replies-faults';
import { describeFaults } from './run-faults';

describeFaults('body', [...BODY_FAULTS, ...REPLY_FAULTS]);
