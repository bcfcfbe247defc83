/** What `make` returns; what it throws is how the command is wrong. */
export function orRefuse<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(2);
  }
}
