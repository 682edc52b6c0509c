// Tests the result of a chat whose answer violates HTTP.
import { FRAMING_FAULTS } from './framing-faults';
import { LENGTH_FAULTS } from './lengths-faults';
import { describeFaults } from './run-faults';

describeFaults('framing', [...FRAMING_FAULTS, ...LENGTH_FAULTS]);
