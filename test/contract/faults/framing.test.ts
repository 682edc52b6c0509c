// Tests what a chat results in when the answer violates HTTP.
import { FRAMING_FAULTS } from './framing-faults';
import { LENGTH_FAULTS } from './lengths-faults';
import { describeFaults } from './run-faults';

describeFaults('framing', [...FRAMING_FAULTS, ...LENGTH_FAULTS]);
