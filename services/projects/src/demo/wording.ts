/** Sample texts for demo tasks and bugs. */
export const TASK_VERBS = [
  'Draft',
  'Review',
  'Design',
  'Build',
  'Test',
  'Document',
  'Present',
  'Publish',
  'Measure',
  'Plan',
];
export const TASK_OBJECTS = [
  'the landing page',
  'the price list',
  'the order form',
  'the product photos',
  'the delivery times',
  'the newsletter',
  'the shop search',
  'the returns process',
  'the service manual',
  'the opening event',
  'the spare parts catalogue',
  'the test rides',
  'the customer survey',
  'the warranty terms',
  'the workshop calendar',
];
export const BUG_TITLES = [
  'The basket forgets the colour',
  'The search finds nothing with an accent',
  'The confirmation arrives twice',
  'The map stays grey',
  'Prices show three decimals',
  'The login page jumps',
  'The invoice shows yesterday',
  'Photos load slowly on phones',
  'The filter cannot be reset',
  'The newsletter link leads nowhere',
];
export const STEPS_OF_TASKS = [
  'Collect what is there',
  'Write a first version',
  'Ask two colleagues',
  'Have it approved',
];
export const REMARKS = [
  'I will begin with this tomorrow.',
  'Waiting for a reply from the customer.',
  'Looks good to me.',
  'Please look at the second page again.',
  'This took longer than planned.',
  'Done, except for the pictures.',
];
