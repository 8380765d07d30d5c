// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

namespace gloss {

/// Prints that the memory does not suffice: how much was asked for, if that is known, how much was in use at
/// most, the limit, and what to do. Allocates nothing.
void print_memory_shortage();
/// Prints that no thread could be started: the limit, and what to do. Allocates nothing.
void print_thread_shortage();

/// From now on the program ends with such a message and status 1 also where no exception can be caught: in
/// the threads of a library, and in library code that uses memory without having got it. `who` begins the
/// message.
void watch_memory(const std::string& who);

}  // namespace gloss
