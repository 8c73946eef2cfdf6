const setup =
  'the specification only reads where, when and as what people work: without these nobody could say what it is in his company';

/** Routes of hr that the specification does not list, each with its reason. */
export const ofHr: Readonly<Record<string, string>> = Object.fromEntries(
  ['branch', 'department', 'designation', 'document-type', 'shift'].flatMap((noun) => [
    [`POST /api/${noun}/create`, setup],
    [`POST /api/${noun}/update/{id}`, setup],
    [`DELETE /api/${noun}/delete/{id}`, setup],
  ]),
);
