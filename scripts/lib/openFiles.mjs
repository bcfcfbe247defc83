/** With fewer, the packages and the database use all of them before the first socket. */
const LEAST = 256;

/** Ends the process with a sentence where the system allows it too few open files. */
export function ensureOpenFiles() {
  process.report.excludeNetwork = true;
  const allowed = process.report.getReport().userLimits?.open_files?.soft;
  if (typeof allowed !== 'number' || allowed >= LEAST) return;
  console.error(
    `Fulcrum: ${allowed} open files are too few. Allow at least ${LEAST}, better 10,000, with ulimit -n.`,
  );
  process.exit(1);
}
