// The answer breaks the rules of HTTP: what a chat comes to.
import { FRAMING_FAULTS } from './framing-faults';
import { LENGTH_FAULTS } from './lengths-faults';
import { describeFaults } from './run-faults';

describeFaults('framing', [...FRAMING_FAULTS, ...LENGTH_FAULTS]);
