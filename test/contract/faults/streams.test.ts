// Tests the result of a chat whose stream does not end, contains an error, or has unusual lines.
import { LINE_FAULTS } from './lines-faults';
import { describeFaults } from './run-faults';
import { STREAM_FAULTS } from './streams-faults';

describeFaults('stream', [...STREAM_FAULTS, ...LINE_FAULTS]);
