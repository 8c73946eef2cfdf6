/** Sample texts of the demo. */

export const OFFERS = [
  'Standing desks',
  'Warehouse shelving',
  'Packaging line',
  'Office fit-out',
  'Forklift rental',
  'Conference furniture',
  'Label printers',
  'Cold storage',
  'Maintenance contract',
  'Loading ramps',
  'Safety equipment',
  'Conveyor belts',
] as const;

export const TASKS = [
  'Call back',
  'Send the brochure',
  'Prepare the quotation',
  'Check delivery times',
  'Arrange a visit',
  'Ask for the floor plan',
  'Follow up on the quotation',
  'Clarify terms of payment',
] as const;

export const CALLS = [
  'First contact',
  'Questions about delivery',
  'Needs and budget',
  'Terms of the quotation',
  'Checking in',
  'Date for a visit',
] as const;

export const RESULTS = [
  'Wants a quotation',
  'Call again next week',
  'Interested, decides with the board',
  'No one answered, left a message',
  'Requested references',
] as const;

export const NOTES = [
  'They compare us with two others; price is not the first concern.',
  'The head of purchasing makes the decision.',
  'Delivery before the end of the quarter would settle it.',
  'They know us from an earlier order and were content.',
  'The budget is approved, the date is not.',
  'Prefers e-mail to the telephone.',
  'Needs a reference from the same trade.',
] as const;

export const EMAILS = [
  { subject: 'Your enquiry', body: 'Thank you for your enquiry. When would be a good time for a short call?' },
  {
    subject: 'Our brochure',
    body: 'Here is the overview of our services. I am glad to answer questions.',
  },
  { subject: 'Our quotation', body: 'Please find our quotation below. It is valid for thirty days.' },
  { subject: 'Our appointment', body: 'This is to confirm our appointment next week. We look forward to it.' },
] as const;

export const MEETINGS = [
  'Site visit',
  'Presentation of our offer',
  'Kick-off',
  'Terms of payment',
  'Needs and measurements',
  'Review of the quarter',
] as const;

export const PLACES = ['At their office', 'Showroom', 'Video call', 'Our office, room 2', 'Warehouse, gate 4'] as const;

export const MINUTES = [
  'Agreed on the layout; we send a revised drawing.',
  'They want to see a reference before they decide.',
  'Price is settled, the date of delivery is open.',
  'Next step: their head of purchasing.',
] as const;

export const LOST_REASONS = [
  'Too expensive',
  'Went with a competitor',
  'No budget this year',
  'No longer responds',
  'The project was called off',
] as const;
