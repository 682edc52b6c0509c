// The stream has no end, an error inside, or odd lines: what a chat comes to.
import { LINE_FAULTS } from './lines-faults';
import { describeFaults } from './run-faults';
import { STREAM_FAULTS } from './streams-faults';

describeFaults('stream', [...STREAM_FAULTS, ...LINE_FAULTS]);
