// Runs one client of one scenario in this process: opens it at once, then runs steps and returns its sample on
// request.
const [script, job] = process.argv.slice(2);
const { openMeasurement } = await import(script);
const measurement = await openMeasurement(JSON.parse(job));

async function answer(what) {
  process.send((await measurement[what]()) ?? null);
}

process.on('message', (what) => void answer(what));
process.on('disconnect', () => process.exit());
// Ends as usual, so that the folders of a measurement are removed.
process.on('SIGTERM', () => process.exit());
process.send('open');
