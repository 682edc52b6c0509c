// What a chat comes to where the status is not 200, or does not tell of the failure.
import { STATUS_FAULTS } from './statuses-faults';
import { describeFaults } from './run-faults';

describeFaults('status', STATUS_FAULTS);
