// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

namespace gloss {

/// Prints that the memory does not suffice: how much was asked for, if that is known, how much was in use at
/// most, the limit, and what to do. Allocates nothing.
void print_memory_shortage();
/// Prints that no thread could be started: the limit, and what to do. Allocates nothing.
void print_thread_shortage();

/// The handler of SIGSEGV if memory is limited: an access to memory that the program does not have. If the
/// limit is near, somebody ignored a failed allocation, and the program ends with the message and status 1;
/// otherwise the access is repeated and ends the program as usual.
void end_if_memory_is_short(int signal);

/// From now on the program ends with such a message and status 1 also where no exception can be caught, as in
/// the threads of a library. `who` begins the message.
void watch_memory(const std::string& who);

}  // namespace gloss
