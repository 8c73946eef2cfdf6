/** Texts of the demo tickets. */
export const PROBLEMS = [
  ['The invoice shows the wrong address', 'We moved in spring. Please correct our address and send the invoice again.'],
  ['Delivery has not arrived', 'It was to come on Tuesday. Where is it?'],
  ['The gears do not shift', 'Since yesterday the gears do not shift under load.'],
  ['Cannot sign in', 'The page says that my password is wrong, but it is not.'],
  ['Question about the warranty', 'How long is the warranty on the battery, and what does it cover?'],
  ['Please send an offer', 'We need twelve bicycles for our office. What would they cost?'],
  ['The display stays dark', 'I charged it over night. The display of the e-bike stays dark.'],
  ['Charged twice', 'Our bank shows the amount twice. Please refund one of the payments.'],
  ['A part is missing', 'The box came without the pedals.'],
  ['An export to our accounting', 'Can we get all invoices of a month in one file?'],
] as const;

export const ANSWERS = [
  'Thank you for writing. I am looking into it.',
  'Could you send us a photo of it?',
  'I have asked our workshop and will write to you again tomorrow.',
  'It is corrected. Does it work for you now?',
  'We have sent a new one, which arrives within three days.',
];
export const QUESTIONS = [
  'Is there any news?',
  'It happened again this morning.',
  'Here is the information you requested.',
  'When can I expect it?',
];
export const THANKS = ['Perfect, thank you!', 'That solved it.'];
export const NOTES = [
  'Seen twice this month; ask the supplier.',
  'A good customer: be generous.',
  'Waits for the spare part.',
  'Called without success.',
];
export const TAGS = ['delivery', 'battery', 'invoice', 'warranty', 'vip', 'repair', 'app'];
export const TEAMS = ['Workshop', 'Office'];
