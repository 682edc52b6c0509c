// The status is not 200, or not all of the story: what a chat comes to.
import { STATUS_FAULTS } from './statuses-faults';
import { describeFaults } from './run-faults';

describeFaults('status', STATUS_FAULTS);
