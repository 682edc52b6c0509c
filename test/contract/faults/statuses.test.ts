// Tests the result of a chat whose status is not 200, or is 200 in spite of a failure.
import { STATUS_FAULTS } from './statuses-faults';
import { describeFaults } from './run-faults';

describeFaults('status', STATUS_FAULTS);
