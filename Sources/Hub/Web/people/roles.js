// The roles of people and tokens, as the hub knows them (Role.swift; a test compares the two). What a role may is told
// with the session, as rights: pages ask for these (`may` in /session.js).

/** From the fewest rights to the most. */
export const ROLES = ['sensor', 'reader', 'member', 'keykeeper', 'owner'];

/** The roles for people; the others are for programs. */
export const ROLES_OF_PEOPLE = ['member', 'keykeeper', 'owner'];
