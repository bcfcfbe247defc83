export interface PlantedFault {
  group: string;
  name: string;
  /** From the project's root. */
  path: string;
  text: string;
  preamble: string;
  /** `name`: a part of the names of the tests that find it, where not all of the file. */
  tests: { test: string; name: string | undefined }[];
}

export function plantedFaults(): PlantedFault[];
