// The connection breaks: what a chat comes to.
import { CONNECTION_FAULTS } from './connection-faults';
import { describeFaults } from './run-faults';

describeFaults('connection', CONNECTION_FAULTS);
