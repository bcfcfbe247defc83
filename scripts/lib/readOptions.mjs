import { parseArgs } from 'node:util';

/** The arguments of a program, as parseArgs gives them. Ends it with `help` where this is asked for, and in one line where an option is wrong. */
export function readOptions(help, config) {
  const options = { ...config.options, help: { type: 'boolean', short: 'h' } };
  let read;
  try {
    read = parseArgs({ ...config, options });
  } catch (error) {
    const [reason] = error.message.split('. ');
    console.error(`${reason}. --help lists the options.`);
    process.exit(2);
  }
  if (read.values.help) {
    console.log(help);
    process.exit(0);
  }
  return read;
}
