// The most characters of fields: those of SpaceLimits.swift. A test compares the two.

export const LONGEST = { message: 500, name: 100, text: 500, url: 2000 };
